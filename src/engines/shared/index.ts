/**
 * Exports the parts that durable engines share: one run, kept as texts by key, driven one event at a time.
 */
export { type Changes, type Kept, keptAt } from "./kept.js";
export { KeptRun } from "./kept-run.js";
export { ENGINE, type EngineOptions, type EnginePorts, partsOf, portsOf } from "./options.js";
export { RunReader } from "./read-run.js";
export { RECORD, type Reported, recordIn } from "./record.js";
export { type Arrivals, isOf, type KeptRunParts, type Turned } from "./turn-types.js";
export { type Asked, mailIn, type Replied, replied, runsBy, valueIn, verbsOf } from "./verbs.js";
