// Somebody was faster: what came of the plan, and what is left to do.
import { Undo2 } from 'lucide-react';
import type { RecommendationDetail } from '../../api/types';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { refusalOf } from './deeds';
import css from './Changed.module.css';

export function SettledNotice({ words }: { words: string }) {
  return (
    <div className={css.changed} role="alert">
      <p>
        <b>Answered while this was open:</b> {words} There is nothing left to decide.
      </p>
    </div>
  );
}

interface Props {
  detail: RecommendationDetail;
  onClose: () => void;
  onRollBack: () => void;
}

export function SettledActions({ detail, onClose, onRollBack }: Props) {
  const blocked = useWriteBlock('decide');
  const mayGoBack =
    detail.allowed.some(({ deed, allowed }) => deed === 'roll_back' && allowed) &&
    refusalOf(detail, 'roll_back', blocked) === null;
  return (
    <>
      {mayGoBack && (
        <Button icon={<Undo2 size={15} aria-hidden="true" />} onClick={onRollBack}>
          Roll back…
        </Button>
      )}
      <Button look="primary" onClick={onClose}>
        Close
      </Button>
    </>
  );
}
