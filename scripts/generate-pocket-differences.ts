/** docs/reference/pocket-differences.md from the contract suite, which proves each row on both servers. */
import { GROUPS } from '../test/contract/groups.ts';
import { POD_GROUPS } from '../test/contract/pod-groups.ts';
import type { Files } from './generate.ts';

export function generate(): Files {
  const cases = [...GROUPS, ...POD_GROUPS].flatMap((group) => group.cases);
  const rows = cases
    .filter((one) => one.pocketDiffers !== undefined)
    .map((one) => `| ${one.name} | ${one.pocketDiffers ?? ''} |`);
  const same = String(cases.length - rows.length);
  const text = [
    '# Where the pocket cluster differs from Kubernetes',
    '',
    `The contract suite (\`test/contract\`) holds pocket to the answers of a real kube-apiserver and a real kubelet: ${same}`,
    'cases must be equal, and these differ on purpose. A row that is no longer true fails the suite.',
    '',
    '| case | what pocket does, and why |',
    '|---|---|',
    ...rows,
    '',
  ];
  return new Map([['docs/reference/pocket-differences.md', text.join('\n')]]);
}
