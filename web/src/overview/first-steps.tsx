import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useHref } from '../frame/place.ts';
import { Command } from '../show/command.tsx';
import { Panel } from '../show/panel.tsx';
import styles from './overview.module.css';

const COMMAND = 'headway backup create first --wait';

/** The overview of a cluster that has never been backed up. */
export function FirstSteps(): ReactElement {
  const href = useHref();
  return (
    <Panel title="No backups yet">
      <div className={styles.first}>
        <p>
          Headway copies the objects of this cluster into a location, and restores them here, under other names or in
          another cluster. You see how far it is while it works.
        </p>
        <Button component="a" href={href(['backups'], { new: '1' })}>
          Back up…
        </Button>
        <p className={styles.dim}>or in a terminal</p>
        <Command command={COMMAND} />
      </div>
    </Panel>
  );
}
