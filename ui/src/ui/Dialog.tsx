// A dialog. The browser's own: it keeps the focus inside, closes on Escape and gives the focus back, without the style
// elements that libraries inject and that the content security policy refuses.
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { classes } from '../util/className';
import { TopLayer } from './topLayer';
import { IconButton } from './IconButton';
import css from './Dialog.module.css';

interface Props {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** The buttons. The one that changes something comes last and never has the focus at first. */
  actions?: ReactNode;
  /** Stands beside the buttons: why the last of them cannot be used yet. */
  note?: ReactNode;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, actions, note, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) {
      element.showModal();
      // To the first field or to the dialog itself, never to a button.
      (element.querySelector<HTMLElement>('input, select, textarea') ?? element).focus();
      setLayer(element);
    }
    return () => element?.close();
  }, []);
  return (
    // A click beside the dialog closes it; the keyboard has Escape for that.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={heading}
      className={classes(css.dialog, wide && css.wide)}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <TopLayer value={layer}>
        <div className={css.inside}>
          <header className={css.header}>
            <h2 id={heading}>{title}</h2>
            <IconButton label="Close" icon={<X size={16} />} onClick={onClose} />
          </header>
          <div className={css.content}>{children}</div>
          {actions && (
            <footer className={css.actions}>
              <span className={css.note}>{note}</span>
              {actions}
            </footer>
          )}
        </div>
      </TopLayer>
    </dialog>
  );
}
