#define APP 0
#define COUNT 2
#define RATE 4
#define LAST_APP RATE
