/** What the first page of a list over all namespaces has shown. */
export interface FirstPage {
  items: number;
  /** Length of the answer. */
  bytes: number;
  /** How many follow; undefined if the server does not say. */
  remaining: number | undefined;
}

/** `over`: all namespaces in one list, of which some items are passed over. `each`: one list for each namespace. */
export type ListWay = 'over' | 'each';

/** A request costs both sides together about as much time as so many bytes of a list (docs/adr/0020). */
const REQUEST_BYTES = 64 * 1024;
const PAGE_ITEMS = 500;

/** How to go on after the first page if only some of the cluster's namespaces are wanted. */
export function cheaperWay(first: FirstPage, namespaces: { wanted: number; existing: number }): ListWay {
  const left = leftOf(first);
  const bytes = bytesOfOne(first);
  const share = Math.min(1, namespaces.wanted / namespaces.existing);
  const over = cost(left / PAGE_ITEMS, left * bytes);
  const each = cost(namespaces.wanted, (first.items + left) * share * bytes);
  return over <= each ? 'over' : 'each';
}

/** Whether to go on with a list of everything, if so many of its items are wanted and could be read one by one. */
export function isListCheaper(first: FirstPage, wanted: number): boolean {
  const left = leftOf(first);
  const bytes = bytesOfOne(first);
  return cost(left / PAGE_ITEMS, left * bytes) <= cost(wanted, wanted * bytes);
}

/** How many items a list has; if the server does not say, as many again as the first page that was not the last. */
export function expectedItems(first: FirstPage): number {
  return first.items + leftOf(first);
}

function leftOf({ items, remaining }: FirstPage): number {
  return remaining ?? items;
}

function bytesOfOne({ items, bytes }: FirstPage): number {
  return bytes / Math.max(1, items);
}

function cost(requests: number, bytes: number): number {
  return Math.ceil(requests) * REQUEST_BYTES + bytes;
}
