import type { ServerLimits } from './ports.ts';

export const DEFAULT_LIMITS: Readonly<ServerLimits> = {
  bodyBytes: 1024 * 1024,
  headersMs: 10_000,
  bodyMs: 20_000,
  stuckMs: 30_000,
  heartbeatMs: 1000,
  batchMs: 200,
  rightsMs: 60_000,
  refusedMs: 10_000,
  streams: 5000,
  streamsPerCaller: 100,
  streamsPerAddress: 1000,
  viewsPerCaller: 20,
  viewsPerAddress: 200,
  requestsPerSecond: 50,
  requestsBurst: 200,
  guessesPerMinute: 20,
  reviews: { atOnce: 8, perCaller: 1, waiting: 200, waitMs: 10_000 },
  heavy: { atOnce: 2, perCaller: 1, waiting: 8, waitMs: 15_000 },
  looks: { atOnce: 4, perCaller: 2, waiting: 16, waitMs: 15_000 },
  archiveBytes: 4 * 1024 ** 3,
};
