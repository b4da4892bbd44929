// The command that does the same as the button.
import { Copyable } from '../ui/Copyable';
import css from './CommandLine.module.css';

export function CommandLine({ command }: { command: string }) {
  return (
    <div className={css.line}>
      <span className={css.label}>The same on the command line</span>
      <Copyable block text={command} label="Copy command" />
    </div>
  );
}
