import { quantityValue } from '../../builtins/index.ts';
import type { Container } from '../../controllers/kinds/index.ts';

export interface NodeSize {
  cpus: number;
  memoryBytes: number;
}

/** How much a container may use or asks for, in whole divisors, at least one where there is anything. */
export function resourceField(
  container: Container,
  { resource, divisor = '0' }: { resource: string; divisor?: string },
  node: NodeSize,
): string | undefined {
  const [kind = '', name = ''] = resource.split(/\.(.*)/s);
  if (kind !== 'limits' && kind !== 'requests') return undefined;
  const given = quantityValue(container.resources?.[kind]?.[name] ?? '');
  // Who has no limit may use the whole node.
  const amount = given ?? (kind === 'limits' ? wholeNode(name, node) : 0);
  const unit = quantityValue(divisor) ?? 0;
  return String(Math.ceil(rounded(amount / (unit === 0 ? 1 : unit))));
}

function wholeNode(name: string, { cpus, memoryBytes }: NodeSize): number {
  if (name === 'cpu') return cpus;
  return name === 'memory' ? memoryBytes : 0;
}

/** 0.25 of 0.001 is 250, and no hair more. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
