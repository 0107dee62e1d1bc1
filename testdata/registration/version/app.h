#define APP 0
#define ADDED 2
#define COUNT 4
#define RATE 6
#define LAST_APP RATE
