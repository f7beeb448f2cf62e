/**
 * What somebody must know who starts a pocket cluster, said once at each start: its pods are no sandbox.
 * `pods` says how they are run.
 */
export function podsLines(pods: string): string[] {
  if (pods === '') return [];
  const lines = [`Pods are ${pods}.`];
  if (pods.startsWith('simulated')) return lines;
  return [
    ...lines,
    'They are ordinary processes of your user, not a sandbox: they share the network',
    'of this machine and can read your files. Never run images or blueprints here',
    'that you do not trust (docs/reference/pocket-pods.md).',
  ];
}
