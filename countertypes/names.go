package countertypes

// The named counter types, in the spelling of winperf.h, in the order of
// their numbers.
const (
	PERF_COUNTER_RAWCOUNT_HEX           Type = 0x00000000
	PERF_COUNTER_LARGE_RAWCOUNT_HEX     Type = 0x00000100
	PERF_COUNTER_TEXT                   Type = 0x00000B00
	PERF_COUNTER_RAWCOUNT               Type = 0x00010000
	PERF_COUNTER_LARGE_RAWCOUNT         Type = 0x00010100
	PERF_DOUBLE_RAW                     Type = 0x00012000
	PERF_COUNTER_DELTA                  Type = 0x00400400
	PERF_COUNTER_LARGE_DELTA            Type = 0x00400500
	PERF_SAMPLE_COUNTER                 Type = 0x00410400
	PERF_COUNTER_QUEUELEN_TYPE          Type = 0x00450400
	PERF_COUNTER_LARGE_QUEUELEN_TYPE    Type = 0x00450500
	PERF_COUNTER_100NS_QUEUELEN_TYPE    Type = 0x00550500
	PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE Type = 0x00650500
	PERF_COUNTER_COUNTER                Type = 0x10410400
	PERF_COUNTER_BULK_COUNT             Type = 0x10410500
	PERF_RAW_FRACTION                   Type = 0x20020400
	PERF_LARGE_RAW_FRACTION             Type = 0x20020500
	PERF_COUNTER_TIMER                  Type = 0x20410500
	PERF_PRECISION_SYSTEM_TIMER         Type = 0x20470500
	PERF_100NSEC_TIMER                  Type = 0x20510500
	PERF_PRECISION_100NS_TIMER          Type = 0x20570500
	PERF_OBJ_TIME_TIMER                 Type = 0x20610500
	PERF_PRECISION_OBJECT_TIMER         Type = 0x20670500
	PERF_SAMPLE_FRACTION                Type = 0x20C20400
	PERF_COUNTER_TIMER_INV              Type = 0x21410500
	PERF_100NSEC_TIMER_INV              Type = 0x21510500
	PERF_COUNTER_MULTI_TIMER            Type = 0x22410500
	PERF_100NSEC_MULTI_TIMER            Type = 0x22510500
	PERF_COUNTER_MULTI_TIMER_INV        Type = 0x23410500
	PERF_100NSEC_MULTI_TIMER_INV        Type = 0x23510500
	PERF_AVERAGE_TIMER                  Type = 0x30020400
	PERF_ELAPSED_TIME                   Type = 0x30240500
	PERF_COUNTER_NODATA                 Type = 0x40000200
	PERF_AVERAGE_BULK                   Type = 0x40020500
	PERF_SAMPLE_BASE                    Type = 0x40030401
	PERF_AVERAGE_BASE                   Type = 0x40030402
	PERF_RAW_BASE                       Type = 0x40030403
	PERF_LARGE_RAW_BASE                 Type = 0x40030500
	PERF_COUNTER_MULTI_BASE             Type = 0x42030500
	PERF_COUNTER_HISTOGRAM_TYPE         Type = 0x80000000

	// winperf.h gives the large raw base this second name.
	PERF_PRECISION_TIMESTAMP = PERF_LARGE_RAW_BASE
)

// largeRawBaseWMI is what the page of WMI's CounterType qualifier prints for
// PERF_LARGE_RAW_BASE (1073939715); exporters copied it. The header, the
// protocol and captures have the other value.
const largeRawBaseWMI Type = 0x40030503
