import type { Locator } from 'playwright-core';

/** How many pixels of an element's text have no room in it. */
export async function cutOff(element: Locator): Promise<number> {
  return await element.evaluate((cell: Cell) => cell.scrollWidth - cell.clientWidth);
}

/** A part of an element, which Node's types do not know. */
interface Cell {
  scrollWidth: number;
  clientWidth: number;
}
