/**
 * The HTTP server: one tree of operations over all clusters, streamed to whoever may see it, and changes in the name of
 * whoever asks for them. It must never use its own rights for a caller's deed, or let a token or a Secret's value out.
 */
export { derivedKey } from './auth/derived-key.ts';
export type { LinkedObject } from './download-links.ts';
export { createServer, type Server } from './server.ts';
export { Metrics, type ClusterMetrics } from './metrics.ts';
export type {
  ClusterPort,
  ObjectChange,
  ObjectSource,
  PlanInput,
  Planner,
  ServerLimits,
  ServerOptions,
  ServerPorts,
} from './ports.ts';
