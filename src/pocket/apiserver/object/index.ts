/**
 * What an API object looks like, and reading fields of one that may lack them.
 * It must never know a kind.
 */
export { listAt, numberAt, scalarTextAt, type ApiMeta, type ApiObject } from './api-object.ts';
