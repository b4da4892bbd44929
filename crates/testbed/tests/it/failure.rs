//! A bed that does not come up leaves nothing running, and says what was the matter.

use crate::support::{fresh, processes_of, workshop};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use testbed::{Bed, Plan, Workshop};

#[test]
fn a_process_that_ends_by_itself_ends_all_others_and_is_quoted() {
    let plan =
        Plan { members: 1, karmada: false, prometheus: false, metrics_server: false, ..Plan::default() };
    let real = workshop();
    real.prepare(&plan.programs(), &|line| println!("{line}")).unwrap();
    let cache = fresh("broken-cache");
    copy_with_broken_kwok(&real.cache, &cache);
    let directory = fresh("broken");
    let broken = Workshop { cache: cache.clone(), ..real };
    let problem = Bed::up(&plan, &directory, &broken, &|line| println!("{line}")).err().unwrap().to_string();
    assert!(problem.starts_with("member1/kwok ended by itself"), "{problem}");
    assert!(problem.ends_with("no nodes today"), "{problem}");
    assert_eq!(processes_of(&directory), Vec::<String>::new());
    assert!(directory.join("member1/log/kube-apiserver.log").is_file(), "the logs stay");
    assert!(Bed::open(&directory).err().unwrap().to_string().starts_with("there is no test bed"));
    what_is_left_makes_room_for_another(&plan, &directory);
    fs::remove_dir_all(cache).unwrap();
}

/// The files of a bed that runs no more do not stand in the way of the next one, which then leaves nothing.
fn what_is_left_makes_room_for_another(plan: &Plan, directory: &Path) {
    let bed = Bed::up(plan, directory, &workshop(), &|line| println!("{line}")).unwrap();
    assert!(bed.listing().healthy);
    bed.leave_running();
    assert_eq!(Bed::open(directory).unwrap().members().len(), 1);
    assert_eq!(Bed::down_in(directory).unwrap(), 5);
    assert_eq!(processes_of(directory), Vec::<String>::new());
    assert!(!directory.exists());
    let nothing = Bed::down_in(directory).err().unwrap().to_string();
    assert!(nothing.starts_with("there is no test bed"), "{nothing}");
}

/// Links to all programs, but a KWOK that gives up at once.
fn copy_with_broken_kwok(from: &Path, to: &Path) {
    for product in fs::read_dir(from).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let folder = to.join(product.file_name());
        fs::create_dir_all(&folder).unwrap();
        for file in fs::read_dir(product.path()).unwrap().flatten().filter(|file| file.file_name() != "kwok")
        {
            symlink(file.path(), folder.join(file.file_name())).unwrap();
        }
        if product.file_name().to_string_lossy().starts_with("kwok-") {
            fs::write(folder.join("kwok"), "#!/bin/sh\necho no nodes today\nexit 1\n").unwrap();
            fs::set_permissions(folder.join("kwok"), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
}
