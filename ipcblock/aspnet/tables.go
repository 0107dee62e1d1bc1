package aspnet

import (
	"strings"
	"sync"
)

// In 2.0 a DWORD may feed several counters: a count, its rate, a ratio.
var counters20 = []Counter{
	{0, Global, "ASPNET_APPLICATION_RESTARTS", "Application Restarts", raw},
	{1, Global, "ASPNET_APPLICATIONS_RUNNING", "Applications Running", raw},
	{2, Global, "ASPNET_REQUESTS_DISCONNECTED", "Requests Disconnected", raw},
	{3, Global, "ASPNET_REQUEST_EXECUTION_TIME", "Request Execution Time", raw},
	{4, Global, "ASPNET_REQUESTS_REJECTED", "Requests Rejected", raw},
	{5, Global, "ASPNET_REQUESTS_QUEUED", "Requests Queued", raw},
	{6, Global, "ASPNET_WPS_RUNNING", "Worker Processes Running", raw},
	{7, Global, "ASPNET_WPS_RESTARTS", "Worker Process Restarts", raw},
	{8, Global, "ASPNET_REQUEST_WAIT_TIME", "Request Wait Time", raw},
	{9, Global, "ASPNET_STATE_SERVER_SESSIONS_ACTIVE", "State Server Sessions Active", raw},
	{10, Global, "ASPNET_STATE_SERVER_SESSIONS_ABANDONED", "State Server Sessions Abandoned", raw},
	{11, Global, "ASPNET_STATE_SERVER_SESSIONS_TIMED_OUT", "State Server Sessions Timed Out", raw},
	{12, Global, "ASPNET_STATE_SERVER_SESSIONS_TOTAL", "State Server Sessions Total", raw},
	{13, Global, "ASPNET_REQUESTS_CURRENT", "Requests Current", raw},
	{14, Global, "ASPNET_GLOBAL_AUDIT_SUCCESS", "Audit Success Events Raised", raw},
	{15, Global, "ASPNET_GLOBAL_AUDIT_FAIL", "Audit Failure Events Raised", raw},
	{16, Global, "ASPNET_GLOBAL_EVENTS_ERROR", "Error Events Raised", raw},
	{17, Global, "ASPNET_GLOBAL_EVENTS_HTTP_REQ_ERROR", "Request Error Events Raised", raw},
	{18, Global, "ASPNET_GLOBAL_EVENTS_HTTP_INFRA_ERROR", "Infrastructure Error Events Raised", raw},
	{19, App, "ASPNET_ANONYMOUS_REQUESTS", "Anonymous Requests", raw},
	{19, App, "ASPNET_ANONYMOUS_REQUESTS_RATE", "Anonymous Requests/Sec", rate},
	{20, App, "ASPNET_TOTAL_CACHE_ENTRIES", "Cache Total Entries", raw},
	{21, App, "ASPNET_TOTAL_CACHE_TURNOVER_RATE", "Cache Total Turnover Rate", rate},
	{22, App, "ASPNET_TOTAL_CACHE_HITS", "Cache Total Hits", raw},
	{23, App, "ASPNET_TOTAL_CACHE_MISSES", "Cache Total Misses", raw},
	{22, App, "ASPNET_TOTAL_CACHE_RATIO", "Cache Total Hit Ratio", fraction},
	{24, App, "ASPNET_TOTAL_CACHE_RATIO_BASE", "Cache Total Hit Ratio Base", base},
	{25, App, "ASPNET_API_CACHE_ENTRIES", "Cache API Entries", raw},
	{26, App, "ASPNET_API_CACHE_TURNOVER_RATE", "Cache API Turnover Rate", rate},
	{27, App, "ASPNET_API_CACHE_HITS", "Cache API Hits", raw},
	{28, App, "ASPNET_API_CACHE_MISSES", "Cache API Misses", raw},
	{27, App, "ASPNET_API_CACHE_RATIO", "Cache API Hit Ratio", fraction},
	{29, App, "ASPNET_API_CACHE_RATIO_BASE", "Cache API Hit Ratio Base", base},
	{30, App, "ASPNET_OUTPUT_CACHE_ENTRIES", "Output Cache Entries", raw},
	{31, App, "ASPNET_OUTPUT_CACHE_TURNOVER_RATE", "Output Cache Turnover Rate", rate},
	{32, App, "ASPNET_OUTPUT_CACHE_HITS", "Output Cache Hits", raw},
	{33, App, "ASPNET_OUTPUT_CACHE_MISSES", "Output Cache Misses", raw},
	{32, App, "ASPNET_OUTPUT_CACHE_RATIO", "Output Cache Hit Ratio", fraction},
	{34, App, "ASPNET_OUTPUT_CACHE_RATIO_BASE", "Output Cache Hit Ratio Base", base},
	{35, App, "ASPNET_COMPILATIONS", "Compilations Total", raw},
	{36, App, "ASPNET_DEBUGGING_REQUESTS", "Debugging Requests", raw},
	{37, App, "ASPNET_ERRORS_PRE_PROCESSING", "Errors During Preprocessing", raw},
	{38, App, "ASPNET_ERRORS_COMPILING", "Errors During Compilation", raw},
	{39, App, "ASPNET_ERRORS_DURING_REQUEST", "Errors During Execution", raw},
	{40, App, "ASPNET_ERRORS_UNHANDLED", "Errors Unhandled During Execution", raw},
	{40, App, "ASPNET_ERRORS_UNHANDLED_RATE", "Errors Unhandled During Execution/Sec", rate},
	{41, App, "ASPNET_ERRORS_TOTAL", "Errors Total", raw},
	{41, App, "ASPNET_ERRORS_TOTAL_RATE", "Errors Total/Sec", rate},
	{42, App, "ASPNET_PIPELINES", "Pipeline Instance Count", raw},
	{43, App, "ASPNET_REQUEST_BYTES_IN", "Request Bytes In Total", raw},
	{44, App, "ASPNET_REQUEST_BYTES_OUT", "Request Bytes Out Total", raw},
	{45, App, "ASPNET_REQUESTS_EXECUTING", "Requests Executing", raw},
	{46, App, "ASPNET_REQUESTS_FAILED", "Requests Failed", raw},
	{47, App, "ASPNET_REQUESTS_NOT_FOUND", "Requests Not Found", raw},
	{48, App, "ASPNET_REQUESTS_NOT_AUTHORIZED", "Requests Not Authorized", raw},
	{49, App, "ASPNET_REQUESTS_IN_APPLICATION_QUEUE", "Requests In Application Queue", raw},
	{50, App, "ASPNET_REQUESTS_TIMED_OUT", "Requests Timed Out", raw},
	{51, App, "ASPNET_REQUESTS_SUCCEDED", "Requests Succeeded", raw},
	{52, App, "ASPNET_REQUESTS_TOTAL", "Requests Total", raw},
	{52, App, "ASPNET_REQUESTS_TOTAL_RATE", "Requests/Sec", rate},
	{53, App, "ASPNET_SESSIONS_ACTIVE", "Sessions Active", raw},
	{54, App, "ASPNET_SESSIONS_ABANDONED", "Sessions Abandoned", raw},
	{55, App, "ASPNET_SESSIONS_TIMED_OUT", "Sessions Timed Out", raw},
	{56, App, "ASPNET_SESSIONS_TOTAL", "Sessions Total", raw},
	{57, App, "ASPNET_TRANSACTIONS_ABORTED", "Transactions Aborted", raw},
	{58, App, "ASPNET_TRANSACTIONS_COMMITTED", "Transactions Committed", raw},
	{59, App, "ASPNET_TRANSACTIONS_PENDING", "Transactions Pending", raw},
	{60, App, "ASPNET_TRANSACTIONS_TOTAL", "Transactions Total", raw},
	{60, App, "ASPNET_TRANSACTIONS_RATE", "Transactions/Sec", rate},
	{61, App, "ASPNET_SESSION_STATE_SERVER_CONNECTIONS", "Session State Server connections total", raw},
	{62, App, "ASPNET_SESSION_SQL_SERVER_CONNECTIONS", "Session SQL Server connections total", raw},
	{63, App, "ASPNET_EVENTS_TOTAL", "Events Raised", raw},
	{63, App, "ASPNET_EVENTS_TOTAL_RATE", "Events Raised/Sec", rate},
	{64, App, "ASPNET_EVENTS_APP", "Application Lifetime Events", raw},
	{64, App, "ASPNET_EVENTS_APP_RATE", "Application Lifetime Events/Sec", rate},
	{65, App, "ASPNET_EVENTS_ERROR", "Error Events Raised", raw},
	{65, App, "ASPNET_EVENTS_ERROR_RATE", "Error Events Raised/Sec", rate},
	{66, App, "ASPNET_EVENTS_HTTP_REQ_ERROR", "Request Error Events Raised", raw},
	{66, App, "ASPNET_EVENTS_HTTP_REQ_ERROR_RATE", "Request Error Events Raised/Sec", rate},
	{67, App, "ASPNET_EVENTS_HTTP_INFRA_ERROR", "Infrastructure Error Events Raised", raw},
	{67, App, "ASPNET_EVENTS_HTTP_INFRA_ERROR_RATE", "Infrastructure Error Events Raised/Sec", rate},
	{68, App, "ASPNET_EVENTS_WEB_REQ", "Request Events Raised", raw},
	{68, App, "ASPNET_EVENTS_WEB_REQ_RATE", "Request Events Raised/Sec", rate},
	{69, App, "ASPNET_AUDIT_SUCCESS", "Audit Success Events Raised", raw},
	{70, App, "ASPNET_AUDIT_FAIL", "Audit Failure Events Raised", raw},
	{71, App, "ASPNET_MEMBER_SUCCESS", "Membership Authentication Success", raw},
	{72, App, "ASPNET_MEMBER_FAIL", "Membership Authentication Failure", raw},
	{73, App, "ASPNET_FORMS_AUTH_SUCCESS", "Forms Authentication Success", raw},
	{74, App, "ASPNET_FORMS_AUTH_FAIL", "Forms Authentication Failure", raw},
	{75, App, "ASPNET_VIEWSTATE_MAC_FAIL", "Viewstate MAC Validation Failure", raw},
	{76, App, "ASPNET_APP_REQUEST_EXEC_TIME", "Request Execution Time", raw},
	{77, App, "ASPNET_APP_REQUEST_DISCONNECTED", "Requests Disconnected", raw},
	{78, App, "ASPNET_APP_REQUESTS_REJECTED", "Requests Rejected", raw},
	{79, App, "ASPNET_APP_REQUEST_WAIT_TIME", "Request Wait Time", raw},
	{80, State, "STATE_SERVICE_SESSIONS_ACTIVE", "State Server Sessions Active", raw},
	{81, State, "STATE_SERVICE_SESSIONS_ABANDONED", "State Server Sessions Abandoned", raw},
	{82, State, "STATE_SERVICE_SESSIONS_TIMED_OUT", "State Server Sessions Timed Out", raw},
	{83, State, "STATE_SERVICE_SESSIONS_TOTAL", "State Server Sessions Total", raw},
}

// counters40 has a counter for each DWORD of 4.x. One global counter and the last sixteen
// app counters are new; names and types of the others are those of the 2.0 counter with the
// same symbol.
var counters40 = sync.OnceValue(func() (all []Counter) {
	for i, symbol := range strings.Fields(symbols40) {
		c := Counter{Index: i, Scope: Global, Symbol: symbol}
		if i >= 97 {
			c.Scope = State
		} else if i >= 20 {
			c.Scope = App
		}
		for _, old := range counters20 {
			if strings.TrimPrefix(old.Symbol, "ASPNET_") == symbol {
				c.Name, c.Type = old.Name, old.Type
				break
			}
		}
		all = append(all, c)
	}
	return all
})

const symbols40 = `
APPLICATION_RESTARTS APPLICATIONS_RUNNING REQUESTS_DISCONNECTED REQUEST_EXECUTION_TIME REQUESTS_REJECTED REQUESTS_QUEUED
WPS_RUNNING WPS_RESTARTS REQUEST_WAIT_TIME STATE_SERVER_SESSIONS_ACTIVE STATE_SERVER_SESSIONS_ABANDONED
STATE_SERVER_SESSIONS_TIMED_OUT STATE_SERVER_SESSIONS_TOTAL REQUESTS_CURRENT GLOBAL_AUDIT_SUCCESS GLOBAL_AUDIT_FAIL
GLOBAL_EVENTS_ERROR GLOBAL_EVENTS_HTTP_REQ_ERROR GLOBAL_EVENTS_HTTP_INFRA_ERROR REQUESTS_IN_NATIVE_QUEUE ANONYMOUS_REQUESTS
TOTAL_CACHE_ENTRIES TOTAL_CACHE_TURNOVER_RATE TOTAL_CACHE_HITS TOTAL_CACHE_MISSES TOTAL_CACHE_RATIO_BASE API_CACHE_ENTRIES
API_CACHE_TURNOVER_RATE API_CACHE_HITS API_CACHE_MISSES API_CACHE_RATIO_BASE OUTPUT_CACHE_ENTRIES OUTPUT_CACHE_TURNOVER_RATE
OUTPUT_CACHE_HITS OUTPUT_CACHE_MISSES OUTPUT_CACHE_RATIO_BASE COMPILATIONS DEBUGGING_REQUESTS ERRORS_PRE_PROCESSING
ERRORS_COMPILING ERRORS_DURING_REQUEST ERRORS_UNHANDLED ERRORS_TOTAL PIPELINES REQUEST_BYTES_IN REQUEST_BYTES_OUT
REQUESTS_EXECUTING REQUESTS_FAILED REQUESTS_NOT_FOUND REQUESTS_NOT_AUTHORIZED REQUESTS_IN_APPLICATION_QUEUE REQUESTS_TIMED_OUT
REQUESTS_SUCCEDED REQUESTS_TOTAL SESSIONS_ACTIVE SESSIONS_ABANDONED SESSIONS_TIMED_OUT SESSIONS_TOTAL TRANSACTIONS_ABORTED
TRANSACTIONS_COMMITTED TRANSACTIONS_PENDING TRANSACTIONS_TOTAL SESSION_STATE_SERVER_CONNECTIONS SESSION_SQL_SERVER_CONNECTIONS
EVENTS_TOTAL EVENTS_APP EVENTS_ERROR EVENTS_HTTP_REQ_ERROR EVENTS_HTTP_INFRA_ERROR EVENTS_WEB_REQ AUDIT_SUCCESS AUDIT_FAIL
MEMBER_SUCCESS MEMBER_FAIL FORMS_AUTH_SUCCESS FORMS_AUTH_FAIL VIEWSTATE_MAC_FAIL APP_REQUEST_EXEC_TIME APP_REQUEST_DISCONNECTED
APP_REQUESTS_REJECTED APP_REQUEST_WAIT_TIME CACHE_PERCENT_MACH_MEM_LIMIT_USED CACHE_PERCENT_MACH_MEM_LIMIT_USED_BASE
CACHE_PERCENT_PROC_MEM_LIMIT_USED CACHE_PERCENT_PROC_MEM_LIMIT_USED_BASE CACHE_TOTAL_TRIMS CACHE_API_TRIMS CACHE_OUTPUT_TRIMS
APP_CPU_USED APP_CPU_USED_BASE APP_MEMORY_USED REQUEST_BYTES_IN_WEBSOCKETS REQUEST_BYTES_OUT_WEBSOCKETS
REQUESTS_EXECUTING_WEBSOCKETS REQUESTS_FAILED_WEBSOCKETS REQUESTS_SUCCEEDED_WEBSOCKETS REQUESTS_TOTAL_WEBSOCKETS
STATE_SERVICE_SESSIONS_ACTIVE STATE_SERVICE_SESSIONS_ABANDONED STATE_SERVICE_SESSIONS_TIMED_OUT STATE_SERVICE_SESSIONS_TOTAL
`
