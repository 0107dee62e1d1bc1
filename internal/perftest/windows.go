package perftest

// The objects that every Windows server has, with the title indexes and types
// that their counters have there.
var (
	systemCounters = []Counter{
		{Title: 10, Scale: -2, Type: 0x10410400},                    // File Read Operations/sec
		{Title: 12, Scale: -6, DetailLevel: 300, Type: 0x10410400},  // File Write Operations/sec
		{Title: 14, Scale: -6, DetailLevel: 200, Type: 0x10410400},  // File Control Operations/sec
		{Title: 16, Scale: -5, Type: 0x10410500},                    // File Read Bytes/sec
		{Title: 18, Scale: -6, DetailLevel: 200, Type: 0x10410500},  // File Write Bytes/sec
		{Title: 20, Scale: 2, Type: 0x10410500},                     // File Control Bytes/sec
		{Title: 146, Scale: -2, DetailLevel: 300, Type: 0x10410400}, // Context Switches/sec
		{Title: 150, Scale: 1, DetailLevel: 400, Type: 0x10410400},  // System Calls/sec
		{Title: 406, Scale: -4, DetailLevel: 400, Type: 0x10410400}, // File Data Operations/sec
		{Title: 674, Scale: -3, DetailLevel: 300, Type: 0x30240500}, // System Up Time
		{Title: 44, Scale: -3, Type: 0x00010000},                    // Processor Queue Length
		{Title: 248, Scale: -3, DetailLevel: 400, Type: 0x00010000}, // Processes
		{Title: 250, Scale: 1, DetailLevel: 400, Type: 0x00010000},  // Threads
		{Title: 686, Scale: 1, DetailLevel: 300, Type: 0x10410400},  // Alignment Fixups/sec
		{Title: 688, Scale: -6, Type: 0x10410400},                   // Exception Dispatches/sec
		{Title: 690, Scale: -5, DetailLevel: 200, Type: 0x10410400}, // Floating Emulations/sec
		{Title: 1350, Scale: 1, DetailLevel: 400, Type: 0x20020400}, // % Registry Quota In Use
		{Title: 1350, Scale: 2, Type: 0x40030403},                   // % Registry Quota In Use
	}
	memoryCounters = []Counter{
		{Title: 28, Scale: 2, Type: 0x10410400},                      // Page Faults/sec
		{Title: 24, DetailLevel: 300, Type: 0x00010100},              // Available Bytes
		{Title: 26, Scale: -5, DetailLevel: 300, Type: 0x00010100},   // Committed Bytes
		{Title: 30, Scale: -6, DetailLevel: 400, Type: 0x00010100},   // Commit Limit
		{Title: 32, Scale: -1, DetailLevel: 300, Type: 0x10410400},   // Write Copies/sec
		{Title: 34, DetailLevel: 400, Type: 0x10410400},              // Transition Faults/sec
		{Title: 36, Scale: -1, DetailLevel: 400, Type: 0x10410400},   // Cache Faults/sec
		{Title: 38, Scale: 2, DetailLevel: 200, Type: 0x10410400},    // Demand Zero Faults/sec
		{Title: 40, Scale: -6, DetailLevel: 400, Type: 0x10410400},   // Pages/sec
		{Title: 42, Scale: -2, Type: 0x10410400},                     // Page Reads/sec
		{Title: 56, Scale: -1, Type: 0x00010100},                     // Pool Paged Bytes
		{Title: 58, Scale: 2, DetailLevel: 400, Type: 0x00010100},    // Pool Nonpaged Bytes
		{Title: 818, Scale: -4, DetailLevel: 300, Type: 0x00010100},  // Cache Bytes
		{Title: 1406, Scale: -6, DetailLevel: 400, Type: 0x20020400}, // % Committed Bytes In Use
		{Title: 1406, Scale: -5, Type: 0x40030403},                   // % Committed Bytes In Use
		{Title: 1380, Scale: -1, Type: 0x00010100},                   // Available KBytes
		{Title: 1382, Scale: -3, DetailLevel: 200, Type: 0x00010100}, // Available MBytes
		{Title: 1376, Scale: -5, DetailLevel: 200, Type: 0x00010100}, // System VLM Commit Charge Peak
	}
	processorCounters = []Counter{
		{Title: 6, Scale: 1, DetailLevel: 300, Type: 0x21510500},     // % Processor Time
		{Title: 142, Scale: 1, DetailLevel: 200, Type: 0x20510500},   // % User Time
		{Title: 144, Type: 0x20510500},                               // % Privileged Time
		{Title: 148, Scale: 2, Type: 0x10410400},                     // Interrupts/sec
		{Title: 696, Scale: 1, DetailLevel: 400, Type: 0x20510500},   // % DPC Time
		{Title: 698, Scale: -1, Type: 0x20510500},                    // % Interrupt Time
		{Title: 1334, Scale: -1, Type: 0x10410400},                   // DPCs Queued/sec
		{Title: 1336, Scale: -3, Type: 0x00010000},                   // DPC Rate
		{Title: 1746, Scale: 1, DetailLevel: 300, Type: 0x20510500},  // % Idle Time
		{Title: 1748, Scale: 2, Type: 0x20510500},                    // % C1 Time
		{Title: 1750, Scale: 2, Type: 0x20510500},                    // % C2 Time
		{Title: 1752, Scale: -5, DetailLevel: 200, Type: 0x20510500}, // % C3 Time
		{Title: 1754, Scale: -3, DetailLevel: 300, Type: 0x10410500}, // C1 Transitions/sec
		{Title: 1756, DetailLevel: 400, Type: 0x10410500},            // C2 Transitions/sec
		{Title: 1758, Scale: 1, DetailLevel: 400, Type: 0x10410500},  // C3 Transitions/sec
	}
	processorInformationCounters = []Counter{
		{Title: 6, Scale: -6, Type: 0x21510500},                      // % Processor Time
		{Title: 142, Scale: -1, DetailLevel: 400, Type: 0x20510500},  // % User Time
		{Title: 144, Scale: -3, DetailLevel: 400, Type: 0x20510500},  // % Privileged Time
		{Title: 148, DetailLevel: 300, Type: 0x10410400},             // Interrupts/sec
		{Title: 696, Scale: -5, DetailLevel: 300, Type: 0x20510500},  // % DPC Time
		{Title: 698, Scale: -6, Type: 0x20510500},                    // % Interrupt Time
		{Title: 1334, DetailLevel: 400, Type: 0x10410400},            // DPCs Queued/sec
		{Title: 1336, Scale: -6, Type: 0x00010000},                   // DPC Rate
		{Title: 1746, Scale: -3, Type: 0x20510500},                   // % Idle Time
		{Title: 1748, Scale: 2, Type: 0x20510500},                    // % C1 Time
		{Title: 1750, Scale: -2, DetailLevel: 400, Type: 0x20510500}, // % C2 Time
		{Title: 1752, Scale: -5, DetailLevel: 300, Type: 0x20510500}, // % C3 Time
		{Title: 1754, Scale: -3, DetailLevel: 200, Type: 0x10410500}, // C1 Transitions/sec
		{Title: 1756, DetailLevel: 300, Type: 0x10410500},            // C2 Transitions/sec
		{Title: 1758, Scale: -1, DetailLevel: 200, Type: 0x10410500}, // C3 Transitions/sec
		{Title: 2200, Scale: -6, DetailLevel: 400, Type: 0x20510500},
		{Title: 2202, DetailLevel: 300, Type: 0x00010000},
		{Title: 2204, Scale: -1, DetailLevel: 400, Type: 0x00010000},
		{Title: 2206, DetailLevel: 400, Type: 0x00010000},
		{Title: 2208, Scale: -5, Type: 0x00000000},
		{Title: 2210, DetailLevel: 400, Type: 0x10410400},
		{Title: 2212, Scale: -1, DetailLevel: 300, Type: 0x40020500},
		{Title: 2212, Scale: -1, DetailLevel: 300, Type: 0x40030402},
		{Title: 2214, Scale: -6, DetailLevel: 400, Type: 0x10410500},
		{Title: 2216, Scale: -1, DetailLevel: 300, Type: 0x40020500},
		{Title: 2216, Scale: -4, DetailLevel: 200, Type: 0x40030402},
		{Title: 2218, Scale: -3, DetailLevel: 400, Type: 0x40020500},
		{Title: 2218, DetailLevel: 300, Type: 0x40030402},
	}
	processCounters = []Counter{
		{Title: 6, Scale: -4, Type: 0x20510500},                      // % Processor Time
		{Title: 142, Scale: 2, DetailLevel: 400, Type: 0x20510500},   // % User Time
		{Title: 144, Scale: -2, Type: 0x20510500},                    // % Privileged Time
		{Title: 172, Scale: -1, Type: 0x00010100},                    // Virtual Bytes Peak
		{Title: 174, Scale: -6, DetailLevel: 200, Type: 0x00010100},  // Virtual Bytes
		{Title: 28, Scale: -3, DetailLevel: 300, Type: 0x10410400},   // Page Faults/sec
		{Title: 178, DetailLevel: 200, Type: 0x00010100},             // Working Set Peak
		{Title: 180, Scale: -3, DetailLevel: 300, Type: 0x00010100},  // Working Set
		{Title: 182, Scale: -6, DetailLevel: 300, Type: 0x00010100},  // Page File Bytes Peak
		{Title: 184, Scale: -2, DetailLevel: 400, Type: 0x00010100},  // Page File Bytes
		{Title: 186, Scale: 1, DetailLevel: 400, Type: 0x00010100},   // Private Bytes
		{Title: 680, Scale: 1, DetailLevel: 300, Type: 0x00010000},   // Thread Count
		{Title: 682, Scale: -4, DetailLevel: 200, Type: 0x00010000},  // Priority Base
		{Title: 684, Scale: 1, DetailLevel: 400, Type: 0x30240500},   // Elapsed Time
		{Title: 784, Scale: -3, DetailLevel: 400, Type: 0x00010100},  // ID Process
		{Title: 1410, Scale: -6, Type: 0x00010100},                   // Creating Process ID
		{Title: 56, Type: 0x00010000},                                // Pool Paged Bytes
		{Title: 58, Scale: 1, DetailLevel: 300, Type: 0x00010000},    // Pool Nonpaged Bytes
		{Title: 952, Scale: -2, DetailLevel: 400, Type: 0x00010000},  // Handle Count
		{Title: 1412, Scale: -4, DetailLevel: 300, Type: 0x10410500}, // IO Read Operations/sec
		{Title: 1414, Scale: -6, DetailLevel: 200, Type: 0x10410500}, // IO Write Operations/sec
		{Title: 1416, Scale: -4, DetailLevel: 200, Type: 0x10410500}, // IO Data Operations/sec
		{Title: 1418, Scale: -4, DetailLevel: 400, Type: 0x10410500}, // IO Other Operations/sec
		{Title: 1420, DetailLevel: 300, Type: 0x10410500},            // IO Read Bytes/sec
		{Title: 1422, Scale: -3, DetailLevel: 400, Type: 0x10410500}, // IO Write Bytes/sec
		{Title: 1424, Scale: -6, DetailLevel: 200, Type: 0x10410500}, // IO Data Bytes/sec
		{Title: 1426, Scale: -6, DetailLevel: 400, Type: 0x10410500}, // IO Other Bytes/sec
		{Title: 1478, Scale: -4, Type: 0x00010100},                   // Working Set - Private
	}
	threadCounters = []Counter{
		{Title: 146, Scale: -3, Type: 0x10410400},                   // Context Switches/sec
		{Title: 6, Scale: -2, DetailLevel: 300, Type: 0x20510500},   // % Processor Time
		{Title: 142, Scale: -4, DetailLevel: 200, Type: 0x20510500}, // % User Time
		{Title: 144, Scale: 2, DetailLevel: 300, Type: 0x20510500},  // % Privileged Time
		{Title: 684, Scale: -6, Type: 0x30240500},                   // Elapsed Time
		{Title: 694, Scale: 2, DetailLevel: 400, Type: 0x00010000},  // Priority Current
		{Title: 682, Type: 0x00010000},                              // Priority Base
		{Title: 706, Scale: -5, DetailLevel: 300, Type: 0x00010100}, // Start Address
		{Title: 46, Scale: -5, DetailLevel: 200, Type: 0x00010000},  // Thread State
		{Title: 336, Scale: -2, DetailLevel: 200, Type: 0x00010000}, // Thread Wait Reason
		{Title: 784, Scale: -1, DetailLevel: 300, Type: 0x00010100}, // ID Process
		{Title: 804, Scale: -1, Type: 0x00010100},                   // ID Thread
	}
	logicalDiskCounters = []Counter{
		{Title: 408, Scale: -2, DetailLevel: 400, Type: 0x20020400},          // % Free Space
		{Title: 408, Scale: -2, DetailLevel: 400, Type: 0x40030403},          // % Free Space
		{Title: 410, Scale: -6, DetailLevel: 300, Type: 0x00010000},          // Free Megabytes
		{Title: 198, Scale: -3, DetailLevel: 300, Type: 0x00010000},          // Current Disk Queue Length
		{Title: 200, Scale: 1, DetailLevel: 300, Type: 0x20570500},           // % Disk Time
		{Title: 200, Scale: -3, DetailLevel: 400, Type: 0x40030500},          // % Disk Time
		{Title: 1400, Scale: -5, DetailLevel: 300, Type: 0x00550500},         // Avg. Disk Queue Length
		{Title: 202, Scale: -4, Type: 0x20570500},                            // % Disk Read Time
		{Title: 202, Scale: 2, DetailLevel: 200, Type: 0x40030500},           // % Disk Read Time
		{Title: 1402, Scale: -1, DetailLevel: 200, Type: 0x00550500},         // Avg. Disk Read Queue Length
		{Title: 204, Scale: -3, DetailLevel: 200, Type: 0x20570500},          // % Disk Write Time
		{Title: 204, Scale: -4, DetailLevel: 300, Type: 0x40030500},          // % Disk Write Time
		{Title: 206, Scale: -3, DetailLevel: 400, Type: 0x30020400, Size: 8}, // Avg. Disk sec/Transfer
		{Title: 206, Scale: -2, Type: 0x40030402},                            // Avg. Disk sec/Transfer
		{Title: 208, Scale: -5, DetailLevel: 400, Type: 0x30020400, Size: 8}, // Avg. Disk sec/Read
		{Title: 208, Scale: -6, DetailLevel: 200, Type: 0x40030402},          // Avg. Disk sec/Read
		{Title: 210, Scale: 1, DetailLevel: 400, Type: 0x30020400, Size: 8},  // Avg. Disk sec/Write
		{Title: 210, DetailLevel: 400, Type: 0x40030402},                     // Avg. Disk sec/Write
		{Title: 212, Scale: -6, DetailLevel: 300, Type: 0x10410400},          // Disk Transfers/sec
		{Title: 214, Scale: -3, Type: 0x10410400},                            // Disk Reads/sec
		{Title: 216, Scale: -4, DetailLevel: 300, Type: 0x10410400},          // Disk Writes/sec
		{Title: 218, Scale: -2, Type: 0x10410500},                            // Disk Bytes/sec
		{Title: 220, Scale: -6, DetailLevel: 200, Type: 0x10410500},          // Disk Read Bytes/sec
		{Title: 222, Scale: -3, DetailLevel: 200, Type: 0x10410500},          // Disk Write Bytes/sec
		{Title: 224, Scale: -3, DetailLevel: 200, Type: 0x40020500},          // Avg. Disk Bytes/Transfer
		{Title: 224, Scale: -1, DetailLevel: 300, Type: 0x40030402},          // Avg. Disk Bytes/Transfer
		{Title: 1482, Scale: 2, DetailLevel: 200, Type: 0x20570500},          // % Idle Time
		{Title: 1482, Scale: -5, DetailLevel: 300, Type: 0x40030500},         // % Idle Time
		{Title: 1484, Scale: 1, DetailLevel: 300, Type: 0x10410400},          // Split IO/Sec
	}
	physicalDiskCounters = []Counter{
		{Title: 198, Scale: -6, DetailLevel: 300, Type: 0x00010000},          // Current Disk Queue Length
		{Title: 200, Scale: -1, DetailLevel: 200, Type: 0x20570500},          // % Disk Time
		{Title: 200, Scale: 1, DetailLevel: 200, Type: 0x40030500},           // % Disk Time
		{Title: 1400, Scale: -5, DetailLevel: 200, Type: 0x00550500},         // Avg. Disk Queue Length
		{Title: 202, Scale: -6, DetailLevel: 400, Type: 0x20570500},          // % Disk Read Time
		{Title: 202, Scale: -5, Type: 0x40030500},                            // % Disk Read Time
		{Title: 1402, Scale: 2, DetailLevel: 300, Type: 0x00550500},          // Avg. Disk Read Queue Length
		{Title: 204, Scale: -4, DetailLevel: 200, Type: 0x20570500},          // % Disk Write Time
		{Title: 204, Scale: -6, DetailLevel: 400, Type: 0x40030500},          // % Disk Write Time
		{Title: 206, Scale: -2, DetailLevel: 400, Type: 0x30020400, Size: 8}, // Avg. Disk sec/Transfer
		{Title: 206, Scale: -3, DetailLevel: 200, Type: 0x40030402},          // Avg. Disk sec/Transfer
		{Title: 208, Scale: -3, DetailLevel: 200, Type: 0x30020400, Size: 8}, // Avg. Disk sec/Read
		{Title: 208, Scale: -5, DetailLevel: 300, Type: 0x40030402},          // Avg. Disk sec/Read
		{Title: 210, Scale: 2, DetailLevel: 200, Type: 0x30020400, Size: 8},  // Avg. Disk sec/Write
		{Title: 210, Scale: -1, DetailLevel: 400, Type: 0x40030402},          // Avg. Disk sec/Write
		{Title: 212, Scale: -3, Type: 0x10410400},                            // Disk Transfers/sec
		{Title: 214, Scale: -5, DetailLevel: 200, Type: 0x10410400},          // Disk Reads/sec
		{Title: 216, Scale: -4, DetailLevel: 300, Type: 0x10410400},          // Disk Writes/sec
		{Title: 218, Scale: -3, DetailLevel: 200, Type: 0x10410500},          // Disk Bytes/sec
		{Title: 220, Scale: -4, DetailLevel: 400, Type: 0x10410500},          // Disk Read Bytes/sec
		{Title: 222, Scale: 1, DetailLevel: 200, Type: 0x10410500},           // Disk Write Bytes/sec
		{Title: 224, Scale: 2, DetailLevel: 300, Type: 0x40020500},           // Avg. Disk Bytes/Transfer
		{Title: 224, Scale: -1, Type: 0x40030402},                            // Avg. Disk Bytes/Transfer
		{Title: 1482, Scale: -5, DetailLevel: 300, Type: 0x20570500},         // % Idle Time
		{Title: 1482, Scale: -5, Type: 0x40030500},                           // % Idle Time
		{Title: 1484, Scale: -3, DetailLevel: 200, Type: 0x10410400},         // Split IO/Sec
	}
	networkInterfaceCounters = []Counter{
		{Title: 388, Scale: -6, Type: 0x10410500},                   // Bytes Total/sec
		{Title: 400, Scale: -2, DetailLevel: 200, Type: 0x10410500}, // Packets/sec
		{Title: 266, Scale: -2, DetailLevel: 400, Type: 0x10410500}, // Packets Received/sec
		{Title: 452, Scale: -5, DetailLevel: 400, Type: 0x10410500}, // Packets Sent/sec
		{Title: 520, Scale: -1, DetailLevel: 300, Type: 0x00010100}, // Current Bandwidth
		{Title: 264, Scale: -1, DetailLevel: 300, Type: 0x10410500}, // Bytes Received/sec
		{Title: 268, Scale: -6, Type: 0x10410500},                   // Read Bytes Paging/sec
		{Title: 270, Scale: 2, DetailLevel: 400, Type: 0x10410500},  // Read Bytes Non-Paging/sec
		{Title: 272, Scale: -4, DetailLevel: 400, Type: 0x00010100}, // Read Bytes Cache/sec
		{Title: 274, Scale: -5, DetailLevel: 400, Type: 0x00010100}, // Read Bytes Network/sec
		{Title: 276, Scale: 2, DetailLevel: 200, Type: 0x00010100},  // Bytes Transmitted/sec
		{Title: 506, Scale: -4, DetailLevel: 200, Type: 0x10410500}, // Bytes Sent/sec
		{Title: 462, Scale: 1, DetailLevel: 400, Type: 0x10410500},  // Frame Bytes Sent/sec
		{Title: 464, Scale: -2, Type: 0x10410500},                   // Frames Received/sec
		{Title: 466, Scale: 1, Type: 0x00010100},                    // Frame Bytes Received/sec
		{Title: 468, Scale: -1, DetailLevel: 200, Type: 0x00010100}, // Frames Re-Sent/sec
		{Title: 522, Scale: 2, Type: 0x00010100},
		{Title: 524, Scale: 1, DetailLevel: 300, Type: 0x00010100}, // Packets Received Unicast/sec
	}
)
