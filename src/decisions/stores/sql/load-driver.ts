/** Loads the package of a database, which the user installs. */
import { isReckonerError, messageOf, ReckonerError } from "../../../core/kernel/values/index.js";

/**
 * Loads the package.
 * @param what the database, for people
 * @param name the package's
 * @throws ReckonerError `store.driver`, with the line that says what to install
 */
export async function loadDriver<T>(
  what: string,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (isReckonerError(cause)) throw cause;
    throw new ReckonerError(
      "store.driver",
      `${what} cannot be loaded (${messageOf(cause).split("\n", 1)[0]}); install it: npm install ${name}`,
      { place: name, cause },
    );
  }
}
