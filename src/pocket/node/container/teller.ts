import type { Container, Pod } from '../../controllers/kinds/index.ts';
import type { EventRecorder, Happening } from './event-recorder.ts';

/** Tells what happens to the containers of a pod. */
export class Teller {
  readonly #events: EventRecorder;
  readonly #pod: () => Pod;

  constructor(events: EventRecorder, pod: () => Pod) {
    this.#events = events;
    this.#pod = pod;
  }

  normal(container: Container, reason: string, message: string): void {
    this.#tell(container, { type: 'Normal', reason, message });
  }

  warn(container: Container, reason: string, message: string): void {
    this.#tell(container, { type: 'Warning', reason, message });
  }

  #tell({ name }: Container, happening: Happening): void {
    const pod = this.#pod();
    const isInit = (pod.spec.initContainers ?? []).some((one) => one.name === name);
    this.#events.record(pod, { ...happening, container: { name, isInit } });
  }
}
