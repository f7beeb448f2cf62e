import { AppError } from '../../../../base/index.ts';
import type { FunctionContext } from '../function.ts';

/** The pods that the phase names, or those of its object as they were when the action began. */
export function podsOf({ args, facts }: FunctionContext, otherwise: string): string[] {
  const given = args.names('pods');
  if (given.length > 0) return given;
  const { workload } = facts;
  if (workload === undefined) throw new AppError('invalid', `${otherwise}: the object has no pods, and none are named`);
  if (workload.pods.length === 0) throw new AppError('invalid', `${otherwise}: ${workload.name} has no running pods`);
  return [...workload.pods];
}

/** Claim → where a pod of the object mounts it. In upstream's words where there are none. */
export function claimsOf({ facts }: FunctionContext, pod: string): Readonly<Record<string, string>> {
  const { workload } = facts;
  if (workload === undefined) {
    throw new AppError('invalid', 'Invalid Template Params: the object has no pods; give volumes');
  }
  const claims = Object.hasOwn(workload.persistentVolumeClaims, pod) ? workload.persistentVolumeClaims[pod] : undefined;
  if (claims === undefined) throw new AppError('invalid', `Failed to find volumes for the Pod: ${pod}`);
  return claims;
}
