import { POD_ARGUMENTS, declare, optional, required, type FunctionDeclaration } from './declaration.ts';

const image = required('text', 'Image of the container.');
const command = required('texts', 'Command with its arguments.');

/** Functions that run commands of the Blueprint's author. */
export const COMMANDS: readonly FunctionDeclaration[] = [
  declare(
    'KubeTask',
    'Runs a command in a pod of its own.',
    {
      image,
      command,
      namespace: optional('text', 'Namespace of the pod; that of the ActionSet unless given.'),
      ...POD_ARGUMENTS,
    },
    { outputs: 'kando', resume: 'pod', podPrefix: 'kanister-job' },
  ),
  declare(
    'KubeExec',
    'Runs a command in a container that runs already.',
    {
      namespace: required('text', 'Namespace of the pod.'),
      pod: required('text', 'Name of the pod.'),
      command,
      container: optional('text', "Container; the pod's default unless given."),
    },
    { outputs: 'kando', resume: 'fail' },
  ),
  declare(
    'KubeExecAll',
    'Runs a command in several containers at the same time.',
    {
      namespace: required('text', 'Namespace of the pods.'),
      pods: required('text', 'Names of the pods, separated by spaces.'),
      containers: required('text', 'Names of the containers, separated by spaces.'),
      command,
    },
    { outputs: 'kando', resume: 'fail' },
  ),
  declare(
    'MultiContainerRun',
    'Runs two commands side by side in one pod, with a directory that both see.',
    {
      backgroundImage: required('text', 'Image of the container in the background.'),
      backgroundCommand: required('texts', 'Its command.'),
      outputImage: required('text', 'Image of the container whose output counts.'),
      outputCommand: required('texts', 'Its command.'),
      namespace: optional('text', 'Namespace of the pod; that of the ActionSet unless given.'),
      initImage: optional('text', 'Image of a container that runs first.'),
      initCommand: optional('texts', 'Its command.'),
      sharedVolumeMedium: optional('text', 'Medium of the shared directory, such as Memory.'),
      sharedVolumeSizeLimit: optional('text', 'Largest size of the shared directory, such as 1Gi.'),
      sharedVolumeDir: optional('text', 'Where it is mounted; /tmp/ unless given.'),
      ...POD_ARGUMENTS,
    },
    { outputs: 'kando', resume: 'pod', podPrefix: 'kanister-job' },
  ),
  declare(
    'PrepareData',
    'Runs a command in a pod that mounts volumes of the application.',
    {
      namespace: required('text', 'Namespace of the volumes.'),
      image,
      command,
      volumes: optional('textMap', 'Claim to path; all claims at /mnt/prepare_data/CLAIM unless given.'),
      serviceaccount: optional('text', 'Service account of the pod.'),
      failOnError: optional('flag', 'Whether a command that fails makes the phase fail; no unless given.'),
      ...POD_ARGUMENTS,
    },
    { outputs: 'kando', resume: 'pod', podPrefix: 'prepare-data-job' },
  ),
];
