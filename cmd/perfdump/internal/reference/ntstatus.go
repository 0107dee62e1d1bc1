package reference

// The statuses and exceptions that events of Perflib carry where a provider's
// function failed or crashed.
var ntStatuses = table(NTStatus, []code{
	{0x80000001, "STATUS_GUARD_PAGE_VIOLATION", "A page that guards the end of a buffer was touched: the provider wrote past its buffer.", crashAdvice},
	{0x80000002, "STATUS_DATATYPE_MISALIGNMENT", "Data were read at an address that does not fit their type.", crashAdvice},
	{0x80000003, "STATUS_BREAKPOINT", "A breakpoint without a debugger: the provider is a debug build, or its memory is damaged.", crashAdvice},
	{0x80000005, "STATUS_BUFFER_OVERFLOW", "The buffer holds only a part of the answer.", ""},
	{0xC0000001, "STATUS_UNSUCCESSFUL", "It failed, for a reason that is not given.", ""},
	{0xC0000005, "STATUS_ACCESS_VIOLATION", "The provider touched memory that is not its own and crashed.", crashAdvice},
	{0xC0000006, "STATUS_IN_PAGE_ERROR", "A page of a file or of the library cannot be read from disk or network.", "look for errors of the disk; keep the library on a local one"},
	{0xC0000008, "STATUS_INVALID_HANDLE", "A handle is not valid (any more).", ""},
	{0xC000000D, "STATUS_INVALID_PARAMETER", "An argument is not right.", ""},
	{0xC0000017, "STATUS_NO_MEMORY", "Out of memory.", ""},
	{0xC000001D, "STATUS_ILLEGAL_INSTRUCTION", "The library holds an instruction that this processor does not have.", crashAdvice},
	{0xC0000022, "STATUS_ACCESS_DENIED", "No right to it.", ""},
	{0xC0000023, "STATUS_BUFFER_TOO_SMALL", "The buffer is too small.", ""},
	{0xC0000034, "STATUS_OBJECT_NAME_NOT_FOUND", "The file, the key or the shared memory is not there.", "start the service that the counters belong to"},
	{0xC000007B, "STATUS_INVALID_IMAGE_FORMAT", "The library is of the wrong width, or not a library.", "install the one of the width of the program that reads"},
	{0xC000008C, "STATUS_ARRAY_BOUNDS_EXCEEDED", "The provider used an element that its array does not have.", crashAdvice},
	{0xC0000094, "STATUS_INTEGER_DIVIDE_BY_ZERO", "The provider divided by zero.", crashAdvice},
	{0xC000009A, "STATUS_INSUFFICIENT_RESOURCES", "The system has no resources left for it.", ""},
	{0xC00000FD, "STATUS_STACK_OVERFLOW", "The provider used up its stack.", crashAdvice},
	{0xC0000135, "STATUS_DLL_NOT_FOUND", "A library that the provider's needs is not found.", "install the provider again"},
	{0xC0000139, "STATUS_ENTRYPOINT_NOT_FOUND", "A library that the provider's needs lacks a function: it is of another version.", "install the provider again"},
	{0xC0000142, "STATUS_DLL_INIT_FAILED", "The library was found and failed when it was started.", ""},
	{0xC000017C, "STATUS_KEY_DELETED", "The registry key was deleted in the meantime.", ""},
	{0xC0000374, "STATUS_HEAP_CORRUPTION", "The heap is damaged: something in the process wrote where it should not.", crashAdvice},
	{0xC0000409, "STATUS_STACK_BUFFER_OVERRUN", "The stack is damaged, or the program ended itself on purpose.", crashAdvice},
	{0xE0434352, "CLR_EXCEPTION", "An exception of .NET that nothing caught.", "the event log of the same moment has it (source .NET Runtime)"},
	{0xE06D7363, "CPP_EXCEPTION", "An exception of C++ that nothing caught.", crashAdvice},
})

const crashAdvice = "the fault is in the provider's library: update it; until then lodctr /D:NAME turns its counters off"
