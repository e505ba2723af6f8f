/**
 * Limits how many files are open at a time: a tree may have more runs than a process may have open
 * files, so each file is opened only while it is read or written, and waits for its turn.
 */
import { Slots } from "./slots.js";

const slots = new Slots(48);

/** Does something that has a file open for as long as it lasts. */
export async function withFile<T>(work: () => Promise<T> | T): Promise<T> {
  await new Promise<void>((resolve) => {
    slots.wait(() => {
      resolve();
      return true;
    });
  });
  try {
    return await work();
  } finally {
    slots.release();
  }
}
