//! What an operator can do wrong with a file, and what time can do to it.

use crate::storage::{Database, Error, Location};
use crate::testing::Folder;
use std::path::Path;

fn open(path: &Path) -> Result<Database, Error> {
    Database::open(&Location::File(path.to_owned()))
}

fn complaint(path: &Path) -> String {
    open(path).expect_err("it cannot be opened").to_string()
}

#[test]
fn a_missing_folder_is_named() {
    let folder = Folder::new("missing");
    let message = complaint(&folder.path().join("none/drover.db"));
    assert!(message.contains("none of the database does not exist; create it"), "{message}");
}
