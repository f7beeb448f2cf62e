/**
 * What is served, in the two forms clients ask for it.
 * It must never look at objects.
 */
export { aggregated, coreVersions, groupDocument, groupList, resourceList } from './discovery.ts';
