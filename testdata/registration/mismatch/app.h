#define APP 0
#define COUNT 2
#define RATES 4
#define LAST_APP RATES
