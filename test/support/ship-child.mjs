// A process of its own that ships the journals of a folder into a file, for tests that kill it. Each
// event is a line of the file. It dies by its own hand before so many steps more: before an event is
// written, and before and behind each operation that keeps the cursor.
//
//   node ship-child.mjs '{"folder":…,"sink":…,"cursor":…,"batchSize":3,"steps":7}'
import { appendFileSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { folder, sink, cursor, batchSize, steps } = JSON.parse(process.argv[2]);

let left = Number.POSITIVE_INFINITY;
const step = () => {
  left -= 1;
  if (left < 0) process.kill(process.pid, "SIGKILL");
};

for (const name of ["writeFile", "rename"]) {
  const operation = fs[name];
  fs[name] = async (...given) => {
    step();
    await operation(...given);
    step();
  };
}
syncBuiltinESMExports();

const { fileTextStore, folderJournals } = await import("../../dist/adapters/trace-files/index.js");
const { ship } = await import("../../dist/node-trace.js");

left = steps ?? left;
const take = (events) => {
  for (const event of events) {
    step();
    appendFileSync(sink, `${JSON.stringify(event)}\n`);
  }
};
await ship(() => folderJournals(folder), take, {
  batchSize,
  cursor: fileTextStore(cursor),
  follow: false,
}).done;
