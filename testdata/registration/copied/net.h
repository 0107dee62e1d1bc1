#define NET 0
#define ONE 2
