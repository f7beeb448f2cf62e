/**
 * Which objects a request is about, and pages of them at one resourceVersion.
 * It must never write.
 */
export { isSelected, select, type Selection } from './selection.ts';
export { listObjects, notANumber, parseVersion, type ListOptions, type ListResult } from './list-objects.ts';
export { wholeNumberOf } from './whole-number.ts';
