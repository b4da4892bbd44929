//! A typed value read as far as a file allows, together with everything that is wrong with the file.

use super::deserialize::Place;
use super::mend::mend;
use super::schema::Schema;
use super::validate::{Faults, Verdict, validate};
use super::{Checks, Document, Doubts, Position, Problem, Problems, Salvage, escape};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// Refusals by types themselves that are looked behind. Each costs another pass over the file, and nearly all of our
/// types say in their schema what they refuse.
const MOST_FAULTS: usize = 10;

/// A value in which stand-ins took the place of what was refused. It is no more than a draft until there are no problems.
#[derive(Debug)]
pub struct Draft<T> {
    pub value: T,
    /// The document as it was read, stand-ins included: places in it are places in the file.
    pub document: Document,
    pub doubts: Doubts,
    pub problems: Problems,
}

/// Reads a typed value with the leaf checks of this crate; on failure every problem is listed.
pub fn read<T: DeserializeOwned + JsonSchema>(name: &str, bytes: &[u8]) -> Result<(T, Document), Problems> {
    read_with(name, bytes, &Checks::default())
}

/// Reads a typed value with additional leaf checks.
pub fn read_with<T: DeserializeOwned + JsonSchema>(
    name: &str,
    bytes: &[u8],
    checks: &Checks,
) -> Result<(T, Document), Problems> {
    let Draft { value, document, problems, .. } = draft(name, bytes, checks)?;
    problems.into_result((value, document))
}

/// Reads as much of a typed value as the file allows. There is no draft of a file whose structure is broken or which
/// has more problems than are shown.
pub fn draft<T: DeserializeOwned + JsonSchema>(
    name: &str,
    bytes: &[u8],
    checks: &Checks,
) -> Result<Draft<T>, Problems> {
    let salvage = Document::salvage(name, bytes)?;
    let schema = Schema::of::<T>();
    let mut faults = Faults::new();
    loop {
        let (verdict, mended) = judge(&salvage, &schema, checks, &faults);
        if verdict.problems.is_full() {
            return Err(verdict.problems);
        }
        let document = mended.as_ref().unwrap_or(&salvage.document);
        let fault = match T::deserialize(Place(document.root())) {
            Ok(value) => {
                let Verdict { problems, doubts, .. } = verdict;
                return Ok(Draft { value, document: mended.unwrap_or(salvage.document), doubts, problems });
            }
            Err(fault) => fault,
        };
        // What only the type itself refuses counts like any other refusal of that value.
        let (path, message) = (fault.path(), escape(&fault.message));
        let at = fault.at.unwrap_or(Position::START);
        let is_stubborn = faults.len() >= MOST_FAULTS || salvage.document.find(&path).is_none();
        if is_stubborn || faults.insert(path.clone(), (at, message.clone())).is_some() {
            let mut problems = verdict.problems;
            problems.push(stubborn(&salvage.document, at, &path, message));
            return Err(problems);
        }
    }
}

/// What is wrong, and the document without it if anything is.
fn judge(
    salvage: &Salvage,
    schema: &Schema,
    checks: &Checks,
    faults: &Faults,
) -> (Verdict, Option<Document>) {
    let Salvage { document, problems, doubts } = salvage;
    let known = (problems.clone(), doubts.clone());
    let mut verdict = validate(&document.root, schema, checks, &document.source, known, faults);
    let mends = std::mem::take(&mut verdict.mends);
    let mended = (!mends.is_empty()).then(|| {
        let mut mended = document.clone();
        mend(&mut mended.root, mends);
        mended
    });
    (verdict, mended)
}

/// A fault that no stand-in cures.
fn stubborn(document: &Document, at: Position, path: &str, message: String) -> Problem {
    document.problem(at, path, message, "write it as the schema describes it: `drover schema scenario`")
}
