// The README: what a newcomer types first.
import { snippetsHold } from "./snippets.js";

snippetsHold(["README.md"]);
