// Imported first: the SDK of Restate reads it once, and tells of each invocation otherwise.
process.env.RESTATE_LOGGING = "ERROR";
