// All other pages.
import { pages } from "./markdown.js";
import { snippetsHold } from "./snippets.js";

snippetsHold(pages.filter((page) => page !== "README.md"));
