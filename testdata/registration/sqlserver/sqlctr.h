#define BUFMGR 0
#define PAGES 2
