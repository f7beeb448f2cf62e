import type { ServerLimits } from './ports.ts';

export const DEFAULT_LIMITS: Readonly<ServerLimits> = {
  bodyBytes: 1024 * 1024,
  headersMs: 10_000,
  bodyMs: 20_000,
  stuckMs: 30_000,
  heartbeatMs: 1000,
  batchMs: 200,
  rightsMs: 60_000,
  streams: 5000,
  streamsPerCaller: 2000,
  requestsPerSecond: 50,
  requestsBurst: 200,
  loginsPerMinute: 20,
  archiveBytes: 4 * 1024 ** 3,
};
