import { sha256Hex } from '../../../../base/index.ts';
import {
  dataLocation,
  dataProgram,
  type DataJob,
  type DataLocation,
  type DataRepository,
  type DataStep,
} from '../../../../core/action/index.ts';
import type { FunctionContext } from '../function.ts';
import { wantedMover } from './data-mover.ts';

/** The image with the tools where a Blueprint names none; upstream's own. */
export const TOOLS_IMAGE = 'ghcr.io/kanisterio/kanister-tools:0.119.0';
/** Of outputs; upstream's functions have had no other. */
export const OUTPUT_VERSION = 'v0.0.0';

const SECRETS = ['RESTIC_PASSWORD', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** A program that is to be run, and what must not be shown of it. */
export interface DataWork {
  job: DataJob;
  text: string;
  secrets: readonly string[];
}

/** Makes the programs of one phase run, from its Profile and the arguments that all data functions share. */
export class DataWorks {
  readonly #context: FunctionContext;
  readonly #location: DataLocation;

  /** Throws `invalid` or `unsupported` for a Profile that cannot be used. */
  constructor(context: FunctionContext) {
    const { args, declaration } = context;
    this.#context = context;
    this.#location = dataLocation(context.profile().json, {
      encryptionKey: args.optionalText('encryptionKey'),
      isInsecure: declaration.arguments['insecureTLS'] !== undefined && args.flagOr('insecureTLS', false),
    });
  }

  repository(artifactPrefix: string): DataRepository {
    return this.#location.repository(artifactPrefix);
  }

  /** The same for the same part of the same phase, so that a backup is found again by it. */
  tag(part = ''): string {
    return this.#identity(part, String(this.#context.attempt)).slice(0, 10);
  }

  /** `part` tells those apart that run at the same time. */
  async work(steps: readonly DataStep[], signal: AbortSignal, part = ''): Promise<DataWork> {
    const mover = await wantedMover(this.#context, signal);
    const job = { id: this.#identity(part).slice(0, 16), attempt: this.#context.attempt };
    const { env } = this.#location;
    const secrets = SECRETS.map((name) => env[name] ?? '').filter((secret) => secret !== '');
    return {
      job,
      text: dataProgram({ job, mover, location: this.#location, steps }),
      secrets,
    };
  }

  #identity(part: string, attempt = ''): string {
    const { actionSet, ref } = this.#context;
    return sha256Hex([actionSet.metadata.uid, ref.action, ref.phase, part, attempt].join('/'));
  }
}
