import { parentPort, workerData } from 'node:worker_threads';
import { yamlToJson } from './yaml-to-json.ts';

/** A thread that reads some texts and exits. */
parentPort?.postMessage(yamlToJson(workerData as string[]));
