import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactElement, type ReactNode } from 'react';
import { toAppError, type AppError } from '../../../src/base/index.ts';
import { ErrorNotice } from './notice.tsx';
import styles from './confirm-button.module.css';

interface ConfirmButtonProps {
  label: string;
  title: string;
  /** What happens, and what does not. */
  children: ReactNode;
  /** The button that does it: a verb, never `OK`. */
  verb: string;
  keep: string;
  act: () => Promise<void>;
  isDisabled?: boolean;
  size?: 'xs' | 'sm';
}

/** For what cannot be taken back: says what will happen, and stays open when it did not work. */
export function ConfirmButton(props: ConfirmButtonProps): ReactElement {
  const [isOpen, dialog] = useDisclosure(false);
  const [isActing, setActing] = useState(false);
  const [error, setError] = useState<AppError>();
  const act = (): void => {
    setActing(true);
    setError(undefined);
    props
      .act()
      .then(dialog.close, (failure: unknown) => {
        setError(toAppError(failure));
      })
      .finally(() => {
        setActing(false);
      });
  };
  return (
    <>
      <Button variant="default" size={props.size ?? 'sm'} onClick={dialog.open} disabled={props.isDisabled ?? false}>
        {props.label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={props.title}>
        <div className={styles.text}>{props.children}</div>
        {error && <ErrorNotice error={error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={dialog.close} data-autofocus>
            {props.keep}
          </Button>
          <Button color="red" onClick={act} disabled={isActing}>
            {isActing ? 'Please wait…' : props.verb}
          </Button>
        </div>
      </Modal>
    </>
  );
}
