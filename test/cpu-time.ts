/** Milliseconds that this thread computed for it: a busy machine makes nothing longer. */
export function cpuMs(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
