/** `blobLaws`: what every store of files must do, as data, for any test runner. It must not know any store. */
import type { BlobPort, JournalPort } from "../runtime/index.js";
import type { JournalLaw } from "./journal-laws.js";
import { identical } from "./property-law.js";

/** An empty store of files, and the journals whose runs hold them. */
export interface BlobLawStore {
  readonly blobs: BlobPort;
  /** Returns the journal of a run, by its id. @param tenant absent: none */
  journal(id: string, tenant?: string): JournalPort;
}

const BYTES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 1_000 }, (_, n) => n % 256);

/**
 * The laws of a store of files.
 * @param make an empty store; called anew for each law
 */
export function blobLaws(make: () => Promise<BlobLawStore> | BlobLawStore): readonly JournalLaw[] {
  const law = (name: string, check: (made: BlobLawStore) => Promise<void>): JournalLaw => ({
    name,
    check: async () => check(await make()),
  });
  return [
    law("a file is read as it was kept, byte for byte", async ({ blobs, journal }) => {
      const run = journal("a");
      const bytes = BYTES.slice();
      await blobs.keep(run, "x", bytes);
      bytes.fill(0);
      await blobs.keep(run, "empty", new Uint8Array());
      identical(textOf(await blobs.read(run, "x")), textOf(BYTES), "the file");
      identical(textOf(await blobs.read(run, "empty")), "", "an empty file");
    }),
    law("a file that is not there is neither read nor held", async ({ blobs, journal }) => {
      identical(await blobs.read(journal("a"), "x"), undefined, "the file");
      identical(await blobs.hold(journal("a"), "x"), false, "its hold");
      await blobs.release(journal("a"));
    }),
    law("a file goes with the last run that holds it, and not before", async (made) => {
      const { blobs, journal } = made;
      const [a, b, c] = ["a", "b", "c"].map((id) => journal(id)) as [JournalPort, ...JournalPort[]];
      await blobs.keep(a, "x", BYTES);
      await blobs.keep(b as JournalPort, "x", BYTES);
      identical(await blobs.hold(c as JournalPort, "x"), true, "the hold");
      // Twice is once.
      identical(await blobs.hold(c as JournalPort, "x"), true, "the hold, again");
      await blobs.keep(a, "x", BYTES);
      for (const run of [a, c as JournalPort]) {
        await blobs.release(run);
        identical(textOf(await blobs.read(a, "x")), textOf(BYTES), "the file that is held");
      }
      await blobs.release(a);
      identical(
        textOf(await blobs.read(a, "x")),
        textOf(BYTES),
        "the file behind a second release",
      );
      await blobs.release(b as JournalPort);
      identical(await blobs.read(a, "x"), undefined, "the file that nobody holds");
      identical(await blobs.hold(a, "x"), false, "its hold");
    }),
    law("a file that is gone can be kept again", async ({ blobs, journal }) => {
      await blobs.keep(journal("a"), "x", BYTES);
      await blobs.release(journal("a"));
      await blobs.keep(journal("b"), "x", BYTES);
      await blobs.release(journal("a"));
      identical(textOf(await blobs.read(journal("b"), "x")), textOf(BYTES), "the file");
    }),
    law("tenants have files of their own", async ({ blobs, journal }) => {
      const [own, other] = [journal("a", "acme"), journal("a", "rival")];
      await blobs.keep(own, "x", BYTES);
      identical(await blobs.read(other, "x"), undefined, "another tenant's file");
      identical(await blobs.hold(other, "x"), false, "its hold");
      identical(await blobs.read(journal("a"), "x"), undefined, "the file of no tenant");
      await blobs.release(other);
      identical(textOf(await blobs.read(own, "x")), textOf(BYTES), "the file");
    }),
    law("whoever takes hold of a file while another lets go of it has it", async (made) => {
      const { blobs, journal } = made;
      for (let n = 0; n < 20; n++) {
        const [old, fresh] = [journal(`old${n}`), journal(`fresh${n}`)];
        await blobs.keep(old, `x${n}`, BYTES);
        await Promise.all([blobs.release(old), blobs.keep(fresh, `x${n}`, BYTES)]);
        identical(textOf(await blobs.read(fresh, `x${n}`)), textOf(BYTES), "the file");
        await blobs.keep(old, `x${n}`, BYTES);
        const [, held] = await Promise.all([
          blobs.release(fresh),
          blobs.hold(journal(`third${n}`), `x${n}`),
        ]);
        identical(held, true, "the hold");
      }
    }),
  ];
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes?.join();
}
