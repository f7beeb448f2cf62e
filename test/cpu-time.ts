/** What some work gives, and how many milliseconds this thread computed for it: a busy machine makes nothing longer. */
export function cpuTime<Result>(work: () => Result): { result: Result; ms: number } {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

export function cpuMs(work: () => unknown): number {
  return cpuTime(work).ms;
}
