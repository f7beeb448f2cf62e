import type { ReactElement } from 'react';
import type { ActionPlanAnswer, PlannedArgument, PlannedPhase } from '../../../src/core/operations/index.ts';
import { sentence } from '../show/notice.tsx';
import { Sign } from '../show/sign.tsx';
import { Arguments } from './arguments.tsx';
import { argumentText } from './blueprint-actions.ts';
import styles from './blueprints.module.css';

/** What every phase would be told, as far as that is known before anything runs. */
export function RunPreview({ plan }: { plan: ActionPlanAnswer }): ReactElement {
  return (
    <div className={styles.preview} role="region" aria-label="Preview">
      {plan.problems.map((text) => (
        <p key={text}>
          <Sign kind="bad" /> {sentence(text)}
        </p>
      ))}
      <p className={styles.dim}>
        {plan.problems.length > 0 ? 'It would be refused. ' : ''}Nothing has been created. Values of Secrets are shown
        as ***.
      </p>
      {plan.actions.map(({ action, phases }, at) => (
        <section key={at}>
          <h3>
            {action}: {phases.length === 1 ? '1 phase' : `${String(phases.length)} phases`}
          </h3>
          {phases.map((phase, number) => (
            <Phase key={number} phase={phase} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Phase({ phase }: { phase: PlannedPhase }): ReactElement {
  const args = Object.entries(phase.arguments);
  const isBad = args.some(([, shown]) => 'problems' in shown);
  return (
    <details className={styles.phase} open={isBad}>
      <summary>
        {isBad && <Sign kind="bad" />} <strong>{phase.phase}</strong> <code>{phase.function}</code>
      </summary>
      <Arguments args={args.map(([name, shown]) => ({ name, text: shownText(shown) }))} />
    </details>
  );
}

function shownText(shown: PlannedArgument): string {
  if ('value' in shown) return argumentText(shown.value);
  if ('waitsFor' in shown) return `(known when it runs: ${shown.waitsFor})`;
  return shown.problems.map((problem) => `✕ ${problem}`).join('\n');
}
