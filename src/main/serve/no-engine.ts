import { AppError } from '../../base/index.ts';
import type { EngineGate } from './engine-gate.ts';

/** Why none of the chosen engines can run; undefined when one can, and when none was chosen. */
export function noEngine(chosen: readonly Pick<EngineGate, 'engine' | 'obstacle'>[]): AppError | undefined {
  const obstacles = chosen.flatMap((gate) => {
    const obstacle = gate.obstacle();
    return obstacle === undefined ? [] : [{ name: gate.engine.name, obstacle }];
  });
  const [first] = obstacles;
  if (first === undefined || obstacles.length < chosen.length) return undefined;
  if (chosen.length === 1) return first.obstacle;
  const reasons = obstacles.map(({ name, obstacle }) => `${name}: ${obstacle.message}`).join('; ');
  const hints = obstacles.flatMap(({ obstacle: { details } }) =>
    typeof details?.['hint'] === 'string' ? details['hint'] : [],
  );
  return new AppError(first.obstacle.code, `none of the chosen engines can run: ${reasons}`, {
    cause: first.obstacle,
    details: { hint: [...new Set(hints)].join('\n') },
  });
}
