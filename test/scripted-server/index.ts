/**
 * A small HTTP(S) server on loopback that answers what a test tells it to, broken answers included.
 * It must never know what a cluster is: a test that needs behaviour uses the pocket cluster.
 */
export { ScriptedServer } from './server.ts';
export {
  gzipped,
  html,
  json,
  killed,
  lost,
  silent,
  slow,
  status,
  Streaming,
  text,
  truncated,
  type Answer,
  type Recorded,
} from './answers.ts';
export { makeAuthority, type Authority } from './certificates.ts';
