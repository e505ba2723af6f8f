/** Somebody at the studio's page: by clicks alone, or by keys alone. Texts are typed by both. */
import type { Locator, Page } from "playwright-core";

export interface Hand {
  readonly name: string;
  /** Follows a button, a link, a fold, a node of a picture. */
  press(target: Locator): Promise<void>;
  /** Checks a box. */
  check(target: Locator): Promise<void>;
  /** Writes a text into a field in place of what is there. */
  write(target: Locator, text: string): Promise<void>;
  /** Picks an option of a list by its text. */
  pick(target: Locator, label: string): Promise<void>;
  /** Opens the run whose row has a text. */
  open(page: Page, text: string): Promise<void>;
  /** Chooses an entry or a card of the conversation by its title. */
  choose(target: Locator): Promise<void>;
  show(page: Page, tab: "Why" | "Shown" | "Event" | "State" | "Otherwise"): Promise<void>;
  /** Moves the slider. */
  slide(page: Page, where: "first" | "back" | "next" | "last"): Promise<void>;
  go(page: Page, where: "Runs" | "Totals"): Promise<void>;
  /** Chooses a bar of the time line by its words: the first of the lanes, or the last. */
  bar(page: Page, words: RegExp, where?: "first" | "last"): Promise<void>;
}

const slider = (page: Page) => page.getByRole("slider");
const lanes = (page: Page) => page.locator(".lanes");
const row = (page: Page, text: string) => page.locator(".run-row", { hasText: text }).first();

/** The bars are one picture: the mouse is led over all of it, and each place says which bar is there. */
const BARS = `(() => {
  const lanes = document.querySelector(".lanes");
  const { left, top, right, bottom } = lanes.getBoundingClientRect();
  const found = [];
  for (let y = top + 12; y < bottom; y += 8)
    for (let x = left + 1; x < right; x += 3) {
      lanes.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, bubbles: true }));
      if (lanes.title !== "") found.push([x, y, lanes.title]);
    }
  return found;
})()`;

export const clicks: Hand = {
  name: "by clicks",
  press: (target) => target.click(),
  check: (target) => target.click(),
  async write(target, text) {
    await target.click();
    await target.fill(text);
  },
  async pick(target, label) {
    // The list of options is a window of the system's.
    await target.selectOption({ label });
  },
  open: (page, text) => row(page, text).getByRole("link").click(),
  choose: (target) => target.click(),
  show: (page, tab) => page.getByRole("tab", { name: tab }).click(),
  async slide(page, where) {
    if (where === "back" || where === "next") {
      const name = where === "back" ? "The event before" : "The next event";
      return page.getByRole("button", { name }).click();
    }
    const { width = 0, height = 0 } = (await slider(page).boundingBox()) ?? {};
    const x = where === "first" ? 4 : width - 4;
    await slider(page).click({ position: { x, y: height / 2 } });
  },
  go: (page, where) => page.getByRole("link", { name: where, exact: true }).click(),
  async bar(page, words, where = "first") {
    await lanes(page).scrollIntoViewIfNeeded();
    const places = await page.evaluate<readonly [x: number, y: number, words: string][]>(BARS);
    const own = places.filter(([, , each]) => words.test(each));
    const found = where === "first" ? own[0] : own.at(-1);
    if (found !== undefined) return page.mouse.click(found[0], found[1]);
    throw new Error(`no bar is ${words}`);
  },
};

// These two run in the page.
const hasFocus = (each: unknown) =>
  each === (globalThis as { document?: { activeElement: unknown } }).document?.activeElement;
const labelOf = (each: unknown) =>
  (each as { selectedOptions: { label: string }[] }).selectedOptions[0]?.label;

/** Moves the focus by Tab alone. @throws Error where no Tab leads there */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  for (let i = 0; i < 400; i++) {
    if (await target.evaluate(hasFocus)) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${target}`);
}

async function pressUntil(page: Page, key: string, isThere: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead there`);
}

export const keys: Hand = {
  name: "by keys",
  async press(target) {
    await reach(target);
    await target.page().keyboard.press("Enter");
  },
  async check(target) {
    await reach(target);
    await target.page().keyboard.press("Space");
  },
  async write(target, text) {
    await reach(target);
    await target.page().keyboard.press("ControlOrMeta+A");
    await target.page().keyboard.insertText(text);
  },
  async pick(target, label) {
    await reach(target);
    await target.page().keyboard.press("Home");
    const isThere = async () => (await target.evaluate(labelOf)) === label;
    await pressUntil(target.page(), "ArrowDown", isThere);
  },
  async open(page, text) {
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await row(page, text).waitFor();
    const isAt = () => page.locator(".run-row.at", { hasText: text }).isVisible();
    for (let i = 0; i < 20; i++) await page.keyboard.press("k");
    await pressUntil(page, "j", isAt);
    await page.keyboard.press("Enter");
  },
  async choose(target) {
    await target.waitFor();
    const isChosen = async () => (await target.getAttribute("aria-pressed")) === "true";
    // From wherever it is: first up to the beginning.
    for (let i = 0; i < 20; i++) await page(target).keyboard.press("k");
    await pressUntil(page(target), "j", isChosen);
  },
  async show(at, tab) {
    const number = ["Why", "Shown", "Event", "State", "Otherwise"].indexOf(tab) + 1;
    await at.keyboard.press(`${number}`);
  },
  async slide(at, where) {
    const names = { first: "Home", back: "[", next: "]", last: "End" };
    await at.keyboard.press(names[where]);
  },
  async go(at, where) {
    await at.keyboard.press(where === "Runs" ? "g" : "t");
  },
  async bar(at, words, where = "first") {
    const bar = lanes(at).getByRole("button");
    await reach(bar);
    const isThere = async () => words.test((await bar.getAttribute("aria-label")) ?? "");
    // To the first row or the last one, and through each lane in turn.
    const [back, on] = where === "first" ? ["ArrowUp", "ArrowDown"] : ["ArrowDown", "ArrowUp"];
    for (let i = 0; i < 20; i++) await at.keyboard.press(back as string);
    for (let row = 0; row < 10; row++) {
      await at.keyboard.press("Home");
      for (let i = 0; i < 20; i++) {
        if (await isThere()) return at.keyboard.press("Enter");
        await at.keyboard.press("ArrowRight");
      }
      await at.keyboard.press(on as string);
    }
    throw new Error(`no key leads to a bar that is ${words}`);
  },
};

const page = (target: Locator) => target.page();
