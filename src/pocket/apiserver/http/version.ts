/** The Kubernetes whose behaviour and messages the pocket cluster follows. */
export const VERSION = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+pocket',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'pocket/headway',
} as const;
