// All pages, the README's types too.
import { pages } from "./markdown.js";
import { snippetsHold } from "./snippets.js";

snippetsHold(pages);
