import { CLAIMS, STORAGE_CLASSES, VOLUMES, type Claim, type StorageClass, type VolumeObject } from '../kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../loop.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { timestamp } from '../timestamp.ts';
import { BIND_COMPLETED } from './claim-state.ts';
import { boundClaim, boundClaimStatus, boundVolume, decideClaim } from './decide-claim.ts';
import type { VolumeDirectories } from './directories.ts';
import { PROVISIONER, provisionedVolume } from './storage-classes.ts';

/** Finds or makes a volume for every claim. */
export function claimController(deps: ControllerDeps, directories: VolumeDirectories): Controller {
  const { client } = deps;
  const unbound = (): string[] =>
    client.list(CLAIMS).flatMap((claim) => (claim.status?.phase === 'Bound' ? [] : [keyOf(claim.metadata)]));
  return {
    name: 'persistent-volume-claim',
    watches: [
      watch(CLAIMS),
      watch(STORAGE_CLASSES, unbound),
      watch(VOLUMES, ({ object }) => {
        const { namespace, name } = object.spec.claimRef ?? {};
        return name === undefined ? unbound() : [keyOf({ namespace, name })];
      }),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const claim = client.get(CLAIMS, namespace, name);
      if (claim === undefined) return undefined;
      const decision = decideClaim(claim, {
        volumes: () => client.list(VOLUMES),
        volume: (volume) => client.get(VOLUMES, '', volume),
        storageClass: (storageClass) => client.get(STORAGE_CLASSES, '', storageClass),
      });
      switch (decision.kind) {
        case 'bind':
          await bind(deps, claim, decision.volume);
          break;
        case 'provision':
          if (!isGoing(claim)) await provision(deps, directories, claim, decision.storageClass);
          break;
        case 'phase':
          await client.update(CLAIMS, { ...claim, status: { ...claim.status, phase: decision.phase } }, 'status');
      }
      return undefined;
    },
  };
}

/** In this order, so that whatever a kill leaves behind leads to the same end: the volume knows its claim first. */
async function bind({ client, clock }: ControllerDeps, claim: Claim, volume: VolumeObject): Promise<void> {
  const wanted = boundVolume(volume, claim);
  const taken = wanted === volume ? volume : await client.update(VOLUMES, wanted);
  if (taken.status?.phase !== 'Bound') {
    const status = { phase: 'Bound', lastPhaseTransitionTime: timestamp(clock.now()) };
    await client.update(VOLUMES, { ...taken, status }, 'status');
  }
  const isTold = claim.metadata.annotations?.[BIND_COMPLETED] !== undefined && claim.spec.volumeName !== undefined;
  const told = isTold ? claim : await client.update(CLAIMS, boundClaim(claim, volume));
  if (told.status?.phase !== 'Bound') {
    await client.update(CLAIMS, { ...told, status: { ...told.status, ...boundClaimStatus(volume) } }, 'status');
  }
}

async function provision(
  { client }: ControllerDeps,
  directories: VolumeDirectories,
  claim: Claim,
  storageClass: StorageClass,
): Promise<void> {
  const annotations = {
    'volume.beta.kubernetes.io/storage-provisioner': PROVISIONER,
    'volume.kubernetes.io/storage-provisioner': PROVISIONER,
    ...claim.metadata.annotations,
  };
  const marked = await client.update(CLAIMS, { ...claim, metadata: { ...claim.metadata, annotations } });
  const name = `pvc-${claim.metadata.uid ?? ''}`;
  const path = await directories.make(name);
  // Told to the claim by the volume's own change.
  await client.create(VOLUMES, provisionedVolume(name, { claim: marked, storageClass, path }));
}
