import { readFileSync } from 'node:fs';
import { DEFAULT_MOVERS, type MoverSettings, type Uploader } from '../../control/volumes/index.ts';
import { VERSION } from '../version.ts';

interface Flags {
  uploader?: Uploader;
  movers?: number;
  moversPerNode?: number;
  moverImage?: string | undefined;
}

/** How movers run, where the flags do not say. A pocket cluster has no images, and runs every `headway` as this one. */
export function moverSettings({ uploader = 'kopia', movers, moversPerNode, moverImage }: Flags): MoverSettings {
  return {
    uploader,
    image: moverImage ?? `headway:${VERSION}`,
    movers: movers ?? DEFAULT_MOVERS.movers,
    moversPerNode: moversPerNode ?? DEFAULT_MOVERS.moversPerNode,
    machineId: machineId(),
  };
}

function machineId(): string | undefined {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return undefined; // Not every system has one; then no node is known to be this machine.
  }
}
