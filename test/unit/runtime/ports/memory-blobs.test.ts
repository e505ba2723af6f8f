// Files in memory obey the laws of stores of files.
import { memoryJournal } from "reckoner";
import { memoryBlobs } from "reckoner/serve";
import { blobLaws } from "reckoner/testing";
import { describe, it } from "vitest";

describe("files in memory", () => {
  const journal = (id: string, tenant = "") => ({ ...memoryJournal(id), tenant });
  for (const law of blobLaws(() => ({ blobs: memoryBlobs(), journal }))) it(law.name, law.check);
});
