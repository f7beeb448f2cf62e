import { Button, CopyButton } from '@mantine/core';
import type { ReactElement } from 'react';
import styles from './command.module.css';

/** Something to type in a terminal, to copy. */
export function Command({ command, words }: { command: string; words?: string }): ReactElement {
  return (
    <div className={styles.command}>
      {words}
      <code>{command}</code>
      <CopyButton value={command}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
