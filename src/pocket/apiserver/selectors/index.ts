/**
 * Label and field selectors: from the text of a query to a predicate.
 * They must never read anything but the object they are asked about.
 */
export { parseLabelSelector } from './label-selector.ts';
export { parseFieldSelector } from './field-selector.ts';
